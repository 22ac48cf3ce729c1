import type { Feature } from "../shell/feature.ts";
import { Bell } from "./bell.tsx";
import { ChangeWatcher } from "./change-watcher.tsx";

export const news: Feature = { pages: [], bell: Bell, layer: ChangeWatcher };
