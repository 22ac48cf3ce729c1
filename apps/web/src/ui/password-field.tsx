import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { IconButton } from "./button.tsx";
import { TextField, type TextFieldProps } from "./text-field.tsx";

/** A field that can be shown, with a warning while Caps Lock is on: the most common reason for a refused password. */
export function PasswordField({ description, onKeyUp, onBlur, ...rest }: TextFieldProps) {
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  return (
    <TextField
      {...rest}
      type={shown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      description={capsLock ? <span role="status">A tecla Caps Lock está ligada.</span> : description}
      rightSection={
        <IconButton label={shown ? "Esconder a senha" : "Mostrar a senha"} onClick={() => setShown(!shown)}>
          {shown ? <IconEyeOff size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
        </IconButton>
      }
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
