import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/global.css";
import "../styles/tokens.css";
import "../styles/mantine-tokens.css";
import "../styles/base.css";
import {
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
  MantineProvider,
  useMantineColorScheme,
} from "@mantine/core";
import type { ReactNode } from "react";
import { ToastRegion } from "./toasts.tsx";

// public/theme.js reads the same key before the first paint.
const colorSchemeManager = localStorageColorSchemeManager({ key: "malote.theme" });

const brandTuple: MantineColorsTuple = [
  "var(--brand-50)",
  "var(--brand-50)",
  "var(--brand-100)",
  "var(--brand-300)",
  "var(--brand-300)",
  "var(--brand-500)",
  "var(--brand-600)",
  "var(--brand-600)",
  "var(--brand-700)",
  "var(--brand-900)",
];

const helpBelow = { inputWrapperOrder: ["label", "input", "description", "error"], withAsterisk: false };

const theme = createTheme({
  primaryColor: "brand",
  primaryShade: 6,
  colors: { brand: brandTuple },
  fontFamily: "var(--sans)",
  defaultRadius: "md",
  respectReducedMotion: true,
  components: {
    InputWrapper: { defaultProps: helpBelow },
    TextInput: { defaultProps: helpBelow },
    PasswordInput: { defaultProps: helpBelow },
    Textarea: { defaultProps: helpBelow },
    Select: { defaultProps: { ...helpBelow, allowDeselect: false, checkIconPosition: "right" } },
    Modal: { defaultProps: { transitionProps: { duration: 120, transition: "fade" } } },
    // A menu stays until it is left: hiding it while its button scrolls away also hides it from assistive tools.
    Menu: {
      defaultProps: { hideDetached: false, transitionProps: { duration: 80 }, shadow: "md", radius: "md" },
    },
    Popover: {
      defaultProps: { hideDetached: false, transitionProps: { duration: 80 }, shadow: "md", radius: "md" },
    },
  },
});

/** The value the server put into this answer; without it a style made at run time would be refused. */
export function contentPolicyNonce(): string {
  const tag = document.querySelector<HTMLElement>("meta[property='csp-nonce']");
  return tag?.nonce || tag?.getAttribute("nonce") || "";
}

// The scroll lock under dialogs makes its own style tag and looks for the nonce under this name.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = contentPolicyNonce();

/** Colours, fonts and widgets of the desk, with the one place where toasts appear. */
export function MaloteTheme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={contentPolicyNonce}
      // In tests dialogs and menus are there at once.
      env={import.meta.env.MODE === "test" ? "test" : "default"}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
      <ToastRegion />
    </MantineProvider>
  );
}

export type ThemeChoice = "auto" | "light" | "dark";

/** What the person chose, `auto` being the setting of the system. */
export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return [colorScheme, setColorScheme];
}
