import "@mantine/core/styles/Input.css";
import "@mantine/core/styles/PasswordInput.css";
import "@mantine/core/styles/ActionIcon.css";
import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useState } from "react";

/** Can be shown, and says when Caps Lock is on: the commonest reason for a refused password. */
export function PasswordField({ description, onKeyUp, onBlur, ...rest }: PasswordInputProps) {
  const [capsLock, setCapsLock] = useState(false);
  return (
    <PasswordInput
      {...rest}
      description={capsLock ? <span role="status">A tecla Caps Lock está ligada.</span> : description}
      visibilityToggleButtonProps={{ "aria-label": "Mostrar ou esconder a senha", tabIndex: 0 }}
      onKeyUp={(event) => {
        setCapsLock(event.getModifierState?.("CapsLock") ?? false);
        onKeyUp?.(event);
      }}
      onBlur={(event) => {
        setCapsLock(false);
        onBlur?.(event);
      }}
    />
  );
}
