import { changeCompany, readCompany, readLogo, uploadLogo } from "@malote/contracts/company";
import { changeValidationCompany, readValidationCompany } from "@malote/contracts/validation";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { data, features, field } from "../testing/company.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { validation } from "../testing/token.ts";
import { companyDataQuery } from "./api.ts";

const save = () => screen.getByRole("button", { name: "Salvar" });
function png(height: number, bytes = 200, type = "image/png"): File {
  const picture = new Uint8Array(bytes);
  const view = new DataView(picture.buffer);
  picture.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunk = (at: number, length: number, name: string) => {
    view.setUint32(at, length);
    picture.set(new TextEncoder().encode(name), at + 4);
  };
  chunk(8, 13, "IHDR");
  view.setUint32(16, 120);
  view.setUint32(20, height);
  chunk(33, bytes - 33 - 24, "IDAT");
  chunk(bytes - 12, 0, "IEND");
  return new File([picture], "marca.png", { type });
}
beforeEach(() => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:logo");
  fakeServer.on(readCompany, () => data);
});

describe("Dados da empresa", () => {
  const address = "/minha-empresa/dados-da-empresa";

  it("COM-005 shows name and CNPJ read-only, an editable phone, a logo upload and a save button", async () => {
    const user = userEvent.setup();
    renderApp(address, { features });
    expect((await field("Nome")).value).toBe("Aurora Comércio");
    await user.type(await field("Nome"), "x");
    await user.type(await field("CNPJ"), "1");
    expect((await field("Nome")).value).toBe("Aurora Comércio");
    expect((await field("CNPJ")).value).toBe("27.418.639/0001-48");
    const labels = ["Nome", "CNPJ", "Telefone"];
    expect(await Promise.all(labels.map(async (label) => (await field(label)).readOnly))).toEqual([
      true,
      true,
      false,
    ]);
    const phone = await field("Telefone");
    expect(phone.value).toBe("(48) 3241-7788");
    await user.clear(phone);
    await user.type(phone, "11987654321");
    await user.tab();
    expect(phone.value).toBe("(11) 98765-4321");
    screen.getByRole("heading", { name: "Logo" });
    screen.getByRole("button", { name: "Escolher a logo" });
    save();
  });

  it("COM-005 COM-006 COM-008 calls the other application's own API, and shows neither logo upload nor address there", async () => {
    fakeServer.on(readValidationCompany, () => data);
    fakeServer.on(changeValidationCompany, () => ({ ...data, phone: "11987654321" }));
    const user = userEvent.setup();
    renderApp(address, {
      features,
      session: { application: validation, allowed_applications: [validation] },
    });
    const phone = await field("Telefone");
    expect(screen.queryByRole("button", { name: "Escolher a logo" })).toBeNull();
    expect(screen.queryByRole("heading", { name: "Logo" })).toBeNull();
    expect(screen.queryByLabelText("Rua ou avenida")).toBeNull();
    await user.clear(phone);
    await user.type(phone, "(11) 98765-4321");
    await user.click(save());
    await screen.findByText("Dados salvos com sucesso");
    expect(fakeServer.calls(changeValidationCompany).map(({ body }) => body)).toEqual([
      { phone: "11987654321" },
    ]);
    expect([...fakeServer.calls(readCompany), ...fakeServer.calls(changeCompany)]).toEqual([]);
  });

  it("COM-006 shows a logo without payments too, and no way to change it", async () => {
    fakeServer.on(readValidationCompany, () => ({ ...data, logo: "/app/company/logo?v=0123456789abcdef" }));
    fakeServer.on(readLogo, () => "the picture");
    vi.spyOn(Response.prototype, "blob").mockResolvedValue(new Blob(["the picture"]));
    renderApp(address, {
      features,
      session: { application: validation, allowed_applications: [validation] },
    });
    await screen.findByRole("img", { name: "Logo da empresa" });
    expect(screen.queryByRole("button", { name: "Trocar a logo" })).toBeNull();
    expect(screen.queryByLabelText("Arquivo da logo")).toBeNull();
  });

  it("COM-007 COM-011 saves the phone and reports it", async () => {
    fakeServer.on(changeCompany, () => ({ ...data, phone: "11987654321" }));
    const user = userEvent.setup();
    renderApp(address, { features });
    const phone = await field("Telefone");
    await user.clear(phone);
    await user.type(phone, "+55 11 98765-4321");
    await user.click(save());
    await screen.findByText("Dados salvos com sucesso");
    expect(fakeServer.calls(changeCompany).map(({ body }) => body)).toEqual([{ phone: "(11) 98765-4321" }]);
    expect(fakeServer.calls(uploadLogo)).toEqual([]);
  });

  it("COM-005 COM-007 accepts only a complete or an empty address, and saves it with the rest", async () => {
    fakeServer.on(changeCompany, ({ body }) => ({ ...data, address: body.address ?? null }));
    const user = userEvent.setup();
    renderApp(address, { features });
    await user.type(await field("Rua ou avenida"), " Rua das Palmeiras ");
    await user.type(await field("Número"), "120");
    await user.click(save());
    await screen.findAllByText("Complete o endereço: rua, número, bairro, cidade e CEP");
    await user.type(await field("Bairro"), "Centro");
    await user.type(await field("Cidade"), "Florianópolis");
    await user.type(await field("CEP"), "88010-12");
    await user.click(save());
    await screen.findAllByText("O CEP tem 8 números");
    expect(fakeServer.calls(changeCompany)).toEqual([]);
    await user.type(await field("CEP"), "0");
    await user.click(save());
    await screen.findByText("Dados salvos com sucesso");
    const place = { street: "Rua das Palmeiras", number: "120", complement: null, district: "Centro" };
    expect(fakeServer.calls(changeCompany).map(({ body }) => body)).toEqual([
      {
        phone: "(48) 3241-7788",
        address: { ...place, city: "Florianópolis", state: "SP", postal_code: "88010120" },
      },
    ]);
  });

  it("COM-005 COM-007 shows the stored address, and a change of one line keeps the others", async () => {
    const there = {
      street: "Rua das Palmeiras",
      number: "120",
      complement: "Sala 3",
      district: "Centro",
      city: "Florianópolis",
      state: "SC" as const,
      postal_code: "88010120",
    };
    fakeServer.on(readCompany, () => ({ ...data, address: there }));
    fakeServer.on(changeCompany, () => data);
    const user = userEvent.setup();
    renderApp(address, { features });
    const shown = {
      CEP: "88010-120",
      "Rua ou avenida": "Rua das Palmeiras",
      Número: "120",
      "Complemento (opcional)": "Sala 3",
      Bairro: "Centro",
      Cidade: "Florianópolis",
      Estado: "SC",
    };
    for (const [label, value] of Object.entries(shown)) expect((await field(label)).value).toBe(value);
    await user.type(await field("Número"), "1");
    await user.click(save());
    await screen.findByText("Dados salvos com sucesso");
    expect(fakeServer.calls(changeCompany).map(({ body }) => body)).toEqual([
      { phone: "(48) 3241-7788", address: { ...there, number: "1201" } },
    ]);
  });

  it("COM-007 removes an address that is emptied", async () => {
    const there = { street: "Rua das Palmeiras", number: "120", complement: null, district: "Centro" };
    fakeServer.on(readCompany, () => ({
      ...data,
      address: { ...there, city: "Florianópolis", state: "SC" as const, postal_code: "88010120" },
    }));
    fakeServer.on(changeCompany, () => data);
    const user = userEvent.setup();
    renderApp(address, { features });
    for (const label of ["CEP", "Rua ou avenida", "Número", "Bairro", "Cidade"])
      await user.clear(await field(label));
    await user.click(save());
    await screen.findByText("Dados salvos com sucesso");
    expect(fakeServer.calls(changeCompany).map(({ body }) => body)).toEqual([
      { phone: "(48) 3241-7788", address: null },
    ]);
  });

  it("COM-007 shows the phone that another person saved meanwhile, and an error without field beside the form", async () => {
    const app = renderApp(address, { features });
    expect((await field("Telefone")).value).toBe("(48) 3241-7788");
    app.queryClient.setQueryData(companyDataQuery.queryKey, { ...data, phone: "11987654321" });
    await waitFor(async () => expect((await field("Telefone")).value).toBe("(11) 98765-4321"));
    fakeServer.on(changeCompany, () => refuseWithoutCode());
    await userEvent.click(save());
    await screen.findByText("Não foi possível salvar os dados. Tente de novo.");
    expect((await field("Telefone")).getAttribute("aria-invalid")).not.toBe("true");
  });

  it("reports an invalid phone before sending, and keeps what was typed", async () => {
    const user = userEvent.setup();
    renderApp(address, { features });
    const phone = await field("Telefone");
    await user.clear(phone);
    await user.type(phone, "1234");
    await user.click(save());
    expect(screen.getAllByText("Digite o telefone com DDD, como (11) 98765-4321.")).toHaveLength(2);
    expect(phone.value).toBe("1234");
    expect(fakeServer.calls(changeCompany)).toEqual([]);
  });

  it.each([
    ["too low", () => png(47), "A logo precisa ter ao menos 48 pixels de altura."],
    [
      "too large",
      () => png(100, 1_048_577),
      "A logo pode ter no máximo 1 MB. Reduza a imagem e envie de novo.",
    ],
    ["too high", () => png(4_001), "A logo pode ter no máximo 4.000 pixels de largura e de altura."],
    [
      "no picture",
      () => new File(["<svg/>"], "marca.png", { type: "image/png" }),
      "A logo precisa ser um arquivo PNG ou JPEG. Salve a imagem em um desses formatos.",
    ],
  ])("COM-010 reports that a file is %s before sending it", async (_, file, text) => {
    const user = userEvent.setup();
    renderApp(address, { features });
    await screen.findByRole("button", { name: "Escolher a logo" });
    await user.upload(screen.getByLabelText("Arquivo da logo"), file());
    await screen.findAllByText(text);
    await user.click(save());
    expect(fakeServer.calls(changeCompany)).toEqual([]);
    expect(fakeServer.calls(uploadLogo)).toEqual([]);
    // Without the file the rest can be saved.
    fakeServer.on(changeCompany, () => data);
    await user.click(screen.getByRole("button", { name: "Desfazer" }));
    expect(screen.queryByText(text)).toBeNull();
    await user.click(save());
    await screen.findByText("Dados salvos com sucesso");
  });

  it("COM-010 accepts a JPEG as well", async () => {
    // Its frame header declares 120 by 100 pixels.
    const jpeg = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 100, 0, 120, 1, 1, 0x11, 0, 0xff, 0xd9];
    const user = userEvent.setup();
    renderApp(address, { features });
    await screen.findByRole("button", { name: "Escolher a logo" });
    const file = new File([new Uint8Array(jpeg)], "marca.jpg", { type: "image/jpeg" });
    await user.upload(screen.getByLabelText("Arquivo da logo"), file);
    await screen.findByText("marca.jpg: salve para começar a usar.");
  });

  it("COM-010 reports a file that cannot be read, and keeps the later of two files when it is read first", async () => {
    const user = userEvent.setup();
    renderApp(address, { features });
    await screen.findByRole("button", { name: "Escolher a logo" });
    const choose = (file: File) => user.upload(screen.getByLabelText("Arquivo da logo"), file);
    const gone = png(60);
    gone.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
    await choose(gone);
    await screen.findAllByText("Não foi possível receber a logo. Envie o arquivo de novo.");

    const slow = new File([png(60)], "lenta.png", { type: "image/png" });
    const content = await slow.arrayBuffer();
    let read: (content: ArrayBuffer) => void = () => undefined;
    slow.arrayBuffer = () => new Promise((resolve) => (read = resolve));
    await choose(slow);
    await choose(png(60));
    await screen.findByText("marca.png: salve para começar a usar.");
    await act(async () => read(content));
    screen.getByText("marca.png: salve para começar a usar.");
  });

  it("COM-009 COM-011 sends the chosen logo with its name, and shows it", async () => {
    const path = "/app/company/logo?v=0123456789abcdef";
    fakeServer.on(changeCompany, () => data);
    fakeServer.on(uploadLogo, () => ({ ...data, logo: path }));
    fakeServer.on(readLogo, () => "the picture");
    vi.spyOn(Response.prototype, "blob").mockResolvedValue(new Blob(["the picture"]));
    const user = userEvent.setup();
    renderApp(address, { features });
    await screen.findByRole("button", { name: "Escolher a logo" });
    await user.upload(screen.getByLabelText("Arquivo da logo"), png(48));
    await screen.findByText("marca.png: salve para começar a usar.");
    screen.getByRole("img", { name: "Logo da empresa" });
    await user.click(save());
    await screen.findByText("Dados salvos com sucesso");
    const form = fakeServer.calls(uploadLogo)[0]?.body as FormData;
    expect(form.get("fileName")).toBe("marca.png");
    expect((form.get("file") as File).size).toBe(200);
    await waitFor(() => expect(fakeServer.calls(readLogo)).toHaveLength(1));
    await screen.findByRole("img", { name: "Logo da empresa" });
    screen.getByRole("button", { name: "Trocar a logo" });
  });

  it("COM-010 shows the server's refusal of a logo at the logo, and keeps the file", async () => {
    fakeServer.on(changeCompany, () => data);
    fakeServer.on(uploadLogo, () => refuse("logo_upload_failed"));
    const user = userEvent.setup();
    renderApp(address, { features });
    await screen.findByRole("button", { name: "Escolher a logo" });
    await user.upload(screen.getByLabelText("Arquivo da logo"), png(60));
    await screen.findByText("marca.png: salve para começar a usar.");
    await user.click(save());
    expect(
      await screen.findAllByText("Não foi possível receber a logo. Envie o arquivo de novo."),
    ).toHaveLength(2);
    screen.getByRole("img", { name: "Logo da empresa" });
    await user.click(save());
    await waitFor(() => expect(fakeServer.calls(uploadLogo)).toHaveLength(2));
  });

  it("reports that the data cannot be loaded, and retries", async () => {
    fakeServer.on(readCompany, () => refuse("internal"));
    renderApp(address, { features });
    await screen.findByRole("heading", { name: "Não foi possível carregar os dados da empresa" });
    fakeServer.on(readCompany, () => data);
    await userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await field("Telefone");
  });
});
