import { useState } from "react";
import { newId } from "./new-id.ts";

/**
 * Returns one idempotency key per content of a form: the same request sent again repeats its key, also after another
 * one in between; a changed request gets a new key.
 */
export function useKeyOfRequest(): (request: unknown) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (request) => {
    const text = JSON.stringify(request);
    const key = keys.get(text) ?? newId();
    keys.set(text, key);
    return key;
  };
}
