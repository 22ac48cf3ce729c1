import { countWork, readHome } from "@malote/contracts/home";
import type { Feature } from "../platform/feature.ts";
import { buildHome, countHomeWork, type HomeData } from "./read.ts";

/** Over the data of other features, which declare their work here and so cannot be imported. */
export const homeFeature = (data: HomeData): Feature => ({
  routes({ serve }) {
    serve(readHome, (tx, call) => buildHome(tx, call, data));
    serve(countWork, async (tx, call) => ({ count: await countHomeWork(tx, call, data) }));
  },
});
