/** Returns the theme's tokens as plain colours for a canvas, read again whenever the theme changes. */
import { useSyncExternalStore } from "react";
import { useThemeChoice } from "../ui/theme.tsx";
import type { Colours } from "./chart-config.ts";

const darkSystem = "(prefers-color-scheme: dark)";

function onSystemTheme(onChange: () => void): () => void {
  const query = matchMedia(darkSystem);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** A string that changes with the colours of the page. */
export function useTheme(): string {
  const choice = useThemeChoice();
  const systemIsDark = useSyncExternalStore(onSystemTheme, () => matchMedia(darkSystem).matches);
  return choice === "auto" ? (systemIsDark ? "dark" : "light") : choice;
}

/** Read from the page itself: a token is written for both themes, and only the browser knows which applies. */
export function readColours(within: HTMLElement): Colours {
  const probe = document.createElement("span");
  within.append(probe);
  const token = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const tones = new Map(
    (["brand-600", "yellow", "blue", "violet", "red", "green", "grey"] as const).map((tone) => [
      tone,
      token(tone),
    ]),
  );
  const colours = {
    surface: token("surface"),
    line: token("line"),
    text: token("ink-2"),
    font: getComputedStyle(probe).fontFamily,
  };
  probe.remove();
  return {
    ...colours,
    of: (tone) => tones.get(tone) ?? colours.text,
    striped: (colour) => stripes(colour, colours.surface) ?? colour,
  };
}

const stripe = 6;

function stripes(colour: string, ground: string): CanvasPattern | null {
  const tile = document.createElement("canvas");
  tile.width = stripe;
  tile.height = stripe;
  const pen = tile.getContext("2d");
  if (!pen) return null;
  pen.fillStyle = colour;
  pen.fillRect(0, 0, stripe, stripe);
  pen.strokeStyle = ground;
  pen.lineWidth = 1.5;
  // Draws the middle line and both neighbours at the corners, so that tiles join without a seam.
  for (const shift of [-stripe, 0, stripe]) {
    pen.moveTo(shift - 1, stripe + 1);
    pen.lineTo(shift + stripe + 1, -1);
  }
  pen.stroke();
  return pen.createPattern(tile, "repeat");
}
