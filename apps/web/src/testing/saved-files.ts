import { vi } from "vitest";

/** The names of the files that are handed to the person from here to the test's end, instead of the files. */
export function watchSavedFiles(): string[] {
  const names: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:saved");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}
