import { vi } from "vitest";

interface HeldUpload {
  /** Progress that a browser would report during an upload. */
  progress(loaded: number, total: number): void;
  finish(): Promise<void>;
  wasAborted(): boolean;
}

/** Replaces XMLHttpRequest and calls the fake server; a test decides when each upload proceeds. */
export function holdUploads(): HeldUpload[] {
  const held: HeldUpload[] = [];
  class FakeXhr {
    status = 0;
    responseText = "";
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    #method = "";
    #address = "";
    #headers = new Headers();
    #aborted = false;
    open(method: string, address: string): void {
      this.#method = method;
      this.#address = address;
    }
    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value);
    }
    getResponseHeader(): string {
      return "application/json";
    }
    abort(): void {
      this.#aborted = true;
      this.onabort?.();
    }
    send(body: FormData): void {
      held.push({
        progress: (loaded, total) => this.upload.onprogress?.({ loaded, total }),
        wasAborted: () => this.#aborted,
        finish: async () => {
          try {
            const init = { method: this.#method, headers: this.#headers, body };
            const response = await fetch(this.#address, init);
            this.status = response.status;
            this.responseText = await response.text();
            this.onload?.();
          } catch {
            this.onerror?.();
          }
        },
      });
    }
  }
  vi.stubGlobal("XMLHttpRequest", FakeXhr);
  return held;
}
