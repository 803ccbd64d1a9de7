// What the build writes into exercises.mjs: the path of questions, and the test at its end.

declare const course: Course;
export default course;

/** `id` is another one where other exercises are asked; `minutes` are what the path takes, and the test. */
export type Course = {id: string, exercises: Exercise[], clearing: Clearing | null, minutes: {path: number, test: number}};

export type Exercise = Question & Case;

/** What is the same for all set-ups. */
type Question = {
  id: string, title: string, chapter: string, text: string, question: string,
  veiled: string[], hints: string[], prediction: Prediction,
  explain: Record<string, string>, term: string, tasks: Task[], further: boolean,
};

/** A number to type has no options, but a tolerance; `value` is that of an option of a number. */
export type Prediction = {
  kind: "number" | "direction" | "choice" | "knob" | "order",
  metric: string, unit?: string, options: Option[], tolerance?: number,
};

export type Option = {id: string, label?: string, value?: number};

/** Inputs on top of the lesson's default. */
export type SetUp = Record<string, number | string>;

/** A step leads to inputs, and to settings of the lab, as texts. */
type Task = {say: string, reach: SetUp};

/**
 * What depends on the set-ups: these themselves, and what is right. Of what is replayed also how, by
 * the same names, and the settings of the lab that shows two of the replays.
 */
type Case = {
  setups: Record<string, SetUp>,
  replays?: Record<string, Record<string, string>>,
  lab?: Record<string, string>,
  answer: {
    right: string[], value?: number, low?: number, high?: number,
    values?: Record<string, number>, fits?: Record<string, boolean>,
  },
};

export type Clearing = {
  title: string, text: string, drawn: number, questions: Question[],
  deployments: {id: string, label: string, text: string, cases: Case[]}[],
};
