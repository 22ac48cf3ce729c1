/** Company of the fake server. */
import type { CompanyData } from "@malote/contracts/company";
import { screen } from "@testing-library/react";
import { company } from "../company/feature.ts";
import { placeholderScreens } from "./placeholder-screens.tsx";

export const features = [company, placeholderScreens("BatchesPage")];

export const data: CompanyData = {
  name: "Aurora Comércio",
  cpfCnpj: "27418639000148",
  address: null,
  phone: "4832417788",
  logo: null,
  status: "active",
};

export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
