/** SES-077: gives up a part of the application that does not arrive. */
export const loadMaxMs = 120_000;

export function withinTime<T>(work: Promise<T>, ms: number = loadMaxMs): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("a part of the application did not arrive in time")), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** For every `import()` except pages, which the router loads under the same limit. */
export const loadPart = <T>(load: () => Promise<T>): Promise<T> => withinTime(load());
