/**
 * E-mails about requested files. A link opens only for a signed-in user of the company, because other people may read
 * an e-mail.
 */
import { count, day, type Email, type Fact } from "./email.ts";

const until = (expiresAt: Date): Fact => ({ label: "Disponível até", value: day(expiresAt) });

interface OfBatch {
  batch: { id: string; name: string } | null;
}

const ofBatch = ({ batch }: OfBatch): Fact[] => (batch ? [{ label: "Lote", value: batch.name }] : []);

interface FileOfPeriod {
  isOfPayouts: boolean;
  /** First and last day, as formatted text. */
  period: string;
}

const wordsOf = ({ isOfPayouts }: FileOfPeriod) => (isOfPayouts ? "relatório" : "extrato");
/** Returns the page where the file was requested and where its link opens. */
const pageOf = ({ isOfPayouts }: FileOfPeriod) =>
  isOfPayouts ? "/pagamentos/transferencias" : "/pagamentos/saldo";

export const fileEmails = {
  receiptsReady: (asked: OfBatch & { id: string; rows: number; expiresAt: Date }): Email => ({
    subject: asked.batch
      ? `Os comprovantes do lote ${asked.batch.name} estão prontos`
      : "Seus comprovantes estão prontos",
    paragraphs: ["Os comprovantes que você pediu estão prontos: um arquivo ZIP com um PDF por pagamento."],
    facts: [...ofBatch(asked), { label: "Comprovantes", value: count(asked.rows) }, until(asked.expiresAt)],
    button: { label: "Baixar comprovantes", page: `/pagamentos/lotes?comprovantes=${asked.id}` },
  }),

  receiptsFailed: (asked: OfBatch & { batchId: string | null }): Email => ({
    subject: "Não foi possível preparar seus comprovantes",
    paragraphs: [
      "Não foi possível preparar os comprovantes que você pediu. Confira se os pagamentos ainda estão como transferidos e peça de novo.",
    ],
    facts: ofBatch(asked),
    button: {
      label: "Abrir seus lotes",
      page: asked.batchId ? `/pagamentos/lotes?lote=${asked.batchId}` : "/pagamentos/lotes",
    },
  }),

  /** `file` is the name of the kind and its format. */
  reportReady: (
    asked: FileOfPeriod & { id: string; file: string; rows: number; expiresAt: Date },
  ): Email => ({
    subject: `Seu ${wordsOf(asked)} está pronto`,
    paragraphs: [`O ${wordsOf(asked)} que você pediu está pronto para baixar.`],
    facts: [
      { label: "Arquivo", value: asked.file },
      { label: "Período", value: asked.period },
      { label: asked.isOfPayouts ? "Transferências" : "Lançamentos", value: count(asked.rows) },
      until(asked.expiresAt),
    ],
    button: { label: `Baixar ${wordsOf(asked)}`, page: `${pageOf(asked)}?arquivo=${asked.id}` },
  }),

  reportFailed: (asked: FileOfPeriod): Email => ({
    subject: `Não foi possível preparar seu ${wordsOf(asked)}`,
    paragraphs: [`Não foi possível preparar o ${wordsOf(asked)} que você pediu. Peça de novo.`],
    facts: [{ label: "Período", value: asked.period }],
    button: { label: "Pedir de novo", page: pageOf(asked) },
  }),

  infractionsReady: (asked: { id: string; expiresAt: Date }): Email => ({
    subject: "A lista de infrações está pronta",
    paragraphs: ["A lista de infrações que você pediu está pronta: uma planilha CSV."],
    facts: [until(asked.expiresAt)],
    button: { label: "Baixar a lista", page: `/contestacoes/infracoes?exportacao=${asked.id}` },
  }),

  infractionsFailed: (_asked: object): Email => ({
    subject: "Não foi possível preparar a lista de infrações",
    paragraphs: ["Não foi possível preparar a lista de infrações que você pediu. Peça de novo."],
    button: { label: "Pedir de novo", page: "/contestacoes/infracoes" },
  }),
};
