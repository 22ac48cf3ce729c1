/**
 * An e-mail as a frame may show it. Its own style sheet only arrives with this page's nonce, and its links leave the
 * frame, which shows one e-mail and nothing else.
 */
export function emailForFrame(html: string, nonce: string): string {
  // Before parsing: a parsed document follows this page's policy, too, and would report every style without it.
  const allowed = html.replace(/<style\b/gi, `<style nonce="${nonce}"`);
  const email = new DOMParser().parseFromString(allowed, "text/html");
  for (const link of email.querySelectorAll("a[href]")) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noreferrer");
  }
  for (const script of email.querySelectorAll("script")) script.remove();
  return `<!doctype html>${email.documentElement.outerHTML}`;
}
