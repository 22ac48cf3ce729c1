import "@mantine/core/styles/Input.css";
import { TextInput, type TextInputProps } from "@mantine/core";

/** The plain field: label above, help below, the error in words beside it. */
export const TextField = TextInput;
export type TextFieldProps = TextInputProps;
