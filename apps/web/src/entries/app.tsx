import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/opening.css";
import { loadPart } from "../shell/load-part.ts";
import { openDesk } from "../shell/open-desk.ts";

// The application's code is already loading (see vite.config.ts); it runs once the opening page is on screen.
void openDesk(() => loadPart(() => import("./desk.tsx")));
