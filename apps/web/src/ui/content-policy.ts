/** The value the server put into this answer; without it a style made at run time would be refused. */
export function contentPolicyNonce(): string {
  const tag = document.querySelector<HTMLElement>("meta[property='csp-nonce']");
  return tag?.nonce || tag?.getAttribute("nonce") || "";
}
