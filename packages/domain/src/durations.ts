/** Lengths of time in milliseconds. A day has 24 hours: São Paulo has had no summer time since 2019. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
