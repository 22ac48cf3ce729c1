/** One line of the catalogue of refusals. */
export type Refusal = readonly [
  /** HTTP. */
  status: number,
  /** Portuguese. */
  text: string,
  /** What `Retry-After` says: seconds, or the minutes of the error's data, one where it names none. */
  more?: { readonly retryAfter: number | "minutes" },
];
