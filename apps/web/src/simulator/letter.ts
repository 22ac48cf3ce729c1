/**
 * A letter as a frame may show it. Its own style sheet only arrives with this page's nonce, and its links leave the
 * frame, which shows one letter and nothing else.
 */
export function letterForFrame(html: string, nonce: string): string {
  const letter = new DOMParser().parseFromString(html, "text/html");
  for (const style of letter.querySelectorAll("style")) style.setAttribute("nonce", nonce);
  for (const link of letter.querySelectorAll("a[href]")) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noreferrer");
  }
  for (const script of letter.querySelectorAll("script")) script.remove();
  return `<!doctype html>${letter.documentElement.outerHTML}`;
}
