/** A name a person chose, made fit for an entry of a ZIP and any disk: plain ASCII, and bounded in length. */
export function plainFileName(text: string, otherwise: string): string {
  const plain = text
    .normalize("NFD")
    .replace(/[^A-Za-z0-9_ -]/g, "")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, 60)
    .trim();
  return plain || otherwise;
}
