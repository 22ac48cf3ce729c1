export type UploadProgress = (sentBytes: number, totalBytes: number) => void;

/** Uploads like `fetch`, but with progress, which only XMLHttpRequest reports. */
export function fetchWithProgress(
  address: string,
  {
    method,
    headers,
    body,
    signal,
  }: { method: string; headers: Headers; body: BodyInit | null; signal: AbortSignal | null },
  onProgress: UploadProgress,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    headers.forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => {
      const type = request.getResponseHeader("content-type") ?? "";
      resolve(
        new Response(request.responseText, { status: request.status, headers: { "content-type": type } }),
      );
    };
    request.onerror = () => reject(new TypeError("no answer"));
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body as XMLHttpRequestBodyInit | null);
  });
}
