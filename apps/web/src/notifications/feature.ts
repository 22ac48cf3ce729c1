import type { Feature } from "../shell/feature.ts";
import { Bell } from "./bell.tsx";

export const notifications: Feature = { pages: [], bell: Bell };
