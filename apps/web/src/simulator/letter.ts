/**
 * A letter as a frame may show it. Its own style sheet only arrives with this page's nonce, and its links leave the
 * frame, which shows one letter and nothing else.
 */
export function letterForFrame(html: string, nonce: string): string {
  // Before parsing: a parsed document follows this page's policy, too, and would report every style without it.
  const allowed = html.replace(/<style\b/gi, `<style nonce="${nonce}"`);
  const letter = new DOMParser().parseFromString(allowed, "text/html");
  for (const link of letter.querySelectorAll("a[href]")) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noreferrer");
  }
  for (const script of letter.querySelectorAll("script")) script.remove();
  return `<!doctype html>${letter.documentElement.outerHTML}`;
}
