// Exercises of each kind, for tests of a run.
const blank = {text: "", question: "", veiled: [], hints: [], explain: {always: "all"}, term: "", tasks: [], further: false, closed: [], chapter: "", setups: {before: {}}};

/** An exercise of a kind, and what is right. */
export function exercise(kind, options, answer, explain = {}) {
  return {...blank, id: kind, title: kind, prediction: {kind, metric: "step_s", unit: "×", options}, answer, explain: {always: "all", ...explain}};
}

export const TYPED = exercise("number", [], {right: [], value: 10, low: 9, high: 11}, {too_low: "low", wrong: "no", right: "yes"});
export const PRESSED = exercise("number", [{id: "1", value: 1}, {id: "3.3", value: 3.3}, {id: "8", value: 8}], {right: ["3.3"], value: 3.296});
export const CHOICE = exercise("choice", [{id: "a", label: "A"}, {id: "b", label: "B"}], {right: ["b"]}, {a: "not a", wrong: "no"});
export const ORDER = exercise("order", [{id: "a"}, {id: "b"}, {id: "c"}], {right: ["c", "a", "b"]});

/** A test of deployments a to h, with two questions each. */
export const CLEARING = {
  title: "Test", text: "Begin.", drawn: 5, questions: [CHOICE, TYPED],
  deployments: [..."abcdefgh"].map(id => ({id, label: id.toUpperCase(), text: `It is ${id}.`,
    cases: [CHOICE, TYPED].map(({setups, answer}) => ({setups, answer}))})),
};
export const COURSE = {exercises: [TYPED, CHOICE, ORDER], clearing: CLEARING};

/** A question of how many times as fast int4 weights are: 3.30. */
export const FASTER = {
  id: "faster", title: "A quarter", chapter: "Bytes", text: "", question: "", veiled: [], hints: [], explain: {}, term: "", tasks: [], further: false, closed: [],
  prediction: {kind: "number", metric: "tokens_per_s_per_user", unit: "×", options: [{id: "3.3", value: 3.3}, {id: "4", value: 4}]},
  setups: {before: {batch: 1}, after: {batch: 1, weights: "int4"}}, answer: {right: ["3.3"], value: 3.2957}, test: null,
};
