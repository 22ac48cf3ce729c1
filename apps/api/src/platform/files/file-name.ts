/** Converts a name that a user chose into a file name for a ZIP and any disk: plain ASCII of bounded length. */
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
