// What the build writes into exercises_face.mjs: the view's own HTML and CSS.
export const html: string;
export const css: string;
