import { vi } from "vitest";

/** Names of the files that would be saved from here to the end of the test. */
export function watchSavedFiles(): string[] {
  const names: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:saved");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}
