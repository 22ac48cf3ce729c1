import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/opening.css";
import { firstPaint } from "../shell/first-paint.ts";

// Everything of the desk is on its way already (see vite.config.ts); it runs once the opening page is on screen.
void firstPaint().then(() => import("./desk.tsx"));
