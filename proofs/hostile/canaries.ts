/** Secrets and personal data that exist nowhere else, so that finding one says who let it out. */
export interface Canary {
  name: string;
  value: string;
  /** Secrets may be nowhere at all; what is personal may be in its own company's rows, and nowhere beside them. */
  kind: "secret" | "personal";
}

/** Other ways in which the same value may be written down. */
export function writings({ value }: Canary): string[] {
  const digits = value.replace(/\D/g, "");
  return [
    ...new Set([
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString("base64").replace(/=+$/, ""),
      Buffer.from(value).toString("hex"),
      // A document or an account without its signs.
      ...(digits.length >= 8 && digits.length >= value.length - 4 ? [digits] : []),
    ]),
  ];
}

/** One sentence a canary, with the line it is in. */
export function hitsIn(place: string, text: string, canaries: readonly Canary[]): string[] {
  return canaries.flatMap((canary) => {
    const written = writings(canary).find((one) => text.includes(one));
    if (written === undefined) return [];
    const at = text.indexOf(written);
    return [`${canary.name} is in ${place}: ${text.slice(Math.max(0, at - 90), at + written.length + 40)}`];
  });
}
