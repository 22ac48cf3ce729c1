const pattern = /^E[0-9A-Z]{8}(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})[a-zA-Z0-9]{11}$/;
const ispbPattern = /^[0-9A-Z]{8}$/;
const elevenPattern = /^[a-zA-Z0-9]{11}$/;

/**
 * Returns the id that every Pix carries through all banks: E, the sender's ISPB, the minute in UTC and eleven
 * characters of the sender's own. It exists before the payment is sent, so that a repeated order can never pay twice.
 */
export const endToEndId = (ispb: string, instant: Date, eleven: string): string =>
  pixId("E", ispb, instant, eleven);

/** Returns the id of a return, in the same form with a D. */
export const returnId = (ispb: string, instant: Date, eleven: string): string =>
  pixId("D", ispb, instant, eleven);

function pixId(kind: "E" | "D", ispb: string, instant: Date, eleven: string): string {
  if (!ispbPattern.test(ispb)) throw new Error(`not an ISPB: ${ispb}`);
  if (!elevenPattern.test(eleven)) throw new Error(`not eleven letters or digits: ${eleven}`);
  return `${kind}${ispb}${instant.toISOString().slice(0, 16).replaceAll(/[-T:]/g, "")}${eleven}`;
}

export function isEndToEndId(text: string): boolean {
  const parts = pattern.exec(text);
  if (!parts) return false;
  const [month, day, hour, minute] = parts.slice(2).map(Number) as [number, number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59;
}
