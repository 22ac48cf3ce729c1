/**
 * Converts an e-mail for a frame. Its own style sheet gets this page's nonce, and its links open outside the frame,
 * which shows nothing but the e-mail.
 */
export function emailForFrame(html: string, nonce: string): string {
  // Runs before parsing, because a parsed document follows this page's policy too, and would report every
  // style without the nonce.
  const allowed = html.replace(/<style\b/gi, `<style nonce="${nonce}"`);
  const email = new DOMParser().parseFromString(allowed, "text/html");
  for (const link of email.querySelectorAll("a[href]")) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noreferrer");
  }
  for (const script of email.querySelectorAll("script")) script.remove();
  return `<!doctype html>${email.documentElement.outerHTML}`;
}
