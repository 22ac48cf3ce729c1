import { countWork, readHome } from "@malote/contracts/home";
import type { Feature } from "../platform/feature.ts";
import { buildHome, countHomeWork, type HomeData } from "./read.ts";

/**
 * Composes the home page from data of other features. It receives them as a parameter, because they declare their work
 * with types of this folder and an import would be circular.
 */
export const homeFeature = (data: HomeData): Feature => ({
  routes({ serve }) {
    serve(readHome, (tx, call) => buildHome(tx, call, data));
    serve(countWork, async (tx, call) => ({ count: await countHomeWork(tx, call, data) }));
  },
});
