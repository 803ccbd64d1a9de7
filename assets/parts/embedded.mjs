// The figures of a view that comes when it is asked for, and may be left while they still come.

/**
 * Put figures into their places; gives what takes them out again.
 * @param embed of the shell
 * @param documents what holds them
 * @param {(roots: Map<HTMLElement, any>) => void} connect is given their roots, unless the view was left
 */
export function embedded(embed, documents, connect) {
  let isLeft = false, remove = () => { isLeft = true; };

  async function put() {
    const {roots, remove: take} = await embed(documents);
    if (isLeft) return void take();
    remove = take;
    connect(roots);
  }

  put();
  return () => remove();
}
