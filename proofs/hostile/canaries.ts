/** Secrets and personal data that exist nowhere else, so that each find identifies its leak. */
export interface Canary {
  name: string;
  value: string;
  /** Secrets may appear nowhere; personal data may appear in its own company's rows only. */
  kind: "secret" | "personal";
}

/** Returns other spellings of the same value. */
export function writings({ value }: Canary): string[] {
  const digits = value.replace(/\D/g, "");
  return [
    ...new Set([
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString("base64").replace(/=+$/, ""),
      Buffer.from(value).toString("hex"),
      // Documents and accounts without their punctuation.
      ...(digits.length >= 8 && digits.length >= value.length - 4 ? [digits] : []),
    ]),
  ];
}

/** Returns one sentence per canary found, with its line. */
export function hitsIn(place: string, text: string, canaries: readonly Canary[]): string[] {
  return canaries.flatMap((canary) => {
    const written = writings(canary).find((one) => text.includes(one));
    if (written === undefined) return [];
    const at = text.indexOf(written);
    return [`${canary.name} is in ${place}: ${text.slice(Math.max(0, at - 90), at + written.length + 40)}`];
  });
}
