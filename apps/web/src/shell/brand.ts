import { type Brand, readBrand } from "@malote/contracts/session";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./call.ts";
import { listenToFailures } from "./reporting.ts";

/** Known before the server answers: the page carries the brand's id, so colours never flash. */
export function brandOfPage(): Brand {
  const isHorizonte = document.documentElement.dataset["brand"] === "horizonte";
  return {
    id: isHorizonte ? "horizonte" : "malote",
    assetsPath: isHorizonte ? "/marcas/horizonte/" : "/",
    name: isHorizonte ? "Horizonte" : "Malote",
    showStatusMenu: false,
    loginUrl: "/entrar",
    appUrl: "/",
    statusUrl: null,
    supportUrl: null,
    supportChatUrl: null,
    blogUrl: null,
    privacyUrl: null,
    twoFactorNotice: null,
    tokenCookie: "malote_token",
    reportsErrors: false,
    notice: null,
    sandbox: false,
  };
}

/** The brand never changes while a page is open. */
export const brandQuery = queryOptions({
  queryKey: ["brand"],
  queryFn: async ({ signal }) => {
    const brand = await call(readBrand, { signal });
    listenToFailures(brand.reportsErrors);
    return brand;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export function useBrand(): Brand {
  return useQuery({ ...brandQuery, placeholderData: brandOfPage }).data ?? brandOfPage();
}

/** Returns a text in the words of the brand: {product} becomes the brand's name (SHL-003). */
export function useProductText(text: string): string {
  return text.replaceAll("{product}", useBrand().name);
}
