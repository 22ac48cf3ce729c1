import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/opening.css";
import { loadPart } from "../shell/load-part.ts";
import { openDesk } from "../shell/open-desk.ts";

// Everything of the desk is on its way already (see vite.config.ts); it runs once the opening page is on screen.
void openDesk(() => loadPart(() => import("./desk.tsx")));
