// What is a mistake, not what is a matter of taste. `core` runs in Node too: it knows no page.
import js from "@eslint/js";
import globals from "globals";

export default [
  {ignores: ["build/", ".venv/"]},
  js.configs.recommended,
  {
    rules: {
      "array-callback-return": "error",
      "eqeqeq": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-template-curly-in-string": "error",
      "no-unused-expressions": "error",
      "no-var": "error",
      "prefer-const": ["error", {destructuring: "all"}],
    },
  },
  {
    files: ["assets/**"],
    ignores: ["assets/core/**"],
    languageOptions: {globals: globals.browser},
  },
  {files: ["assets/core/**"], languageOptions: {globals: globals["shared-node-browser"]}},
  {files: ["tests/assets/**"], languageOptions: {globals: globals.node}},
];
