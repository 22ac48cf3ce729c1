/** Replaces characters that some systems refuse in file names, whatever a person or a batch is called. */
export function receiptFileName(start: string, of: string, ending: string): string {
  const plain = of
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase()
    .slice(0, 60);
  return `${plain ? `${start}-${plain}` : start}.${ending}`;
}
