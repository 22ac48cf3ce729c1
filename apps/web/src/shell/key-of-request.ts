import { useState } from "react";
import { newId } from "./new-id.ts";

/** For a form: the same request sent again is the same work at the server, also when another was sent between; changed, it is other work. */
export function useKeyOfRequest(): (request: unknown) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (request) => {
    const text = JSON.stringify(request);
    const key = keys.get(text) ?? newId();
    keys.set(text, key);
    return key;
  };
}
