/** A tab in the background paints nothing and still has to load. */
const longestWaitMs = 100;

/** Resolves once the page that the server sent is on screen, so that building the real one does not hold it back. */
export function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, longestWaitMs);
  });
}
