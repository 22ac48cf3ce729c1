/** Default terms of an installation without its own text, which an operator provides in a file (docs/operations.md). */
export const defaultInfractionTerms = `O Mecanismo Especial de Devolução (MED) do Pix permite que quem pagou conteste um pagamento por suspeita de fraude. Neste painel você vê as infrações abertas contra Pix que sua empresa recebeu e responde a cada uma delas.

Cada infração deve ser respondida em até 4 dias corridos depois da notificação. Sem resposta nesse prazo, o valor volta automaticamente ao pagador.

Aprovar uma infração é concordar que houve fraude: o valor sai do saldo da empresa e volta ao pagador. Se o saldo não for suficiente, o que faltar é devolvido com os valores que entrarem nos 90 dias seguintes.

Reprovar uma infração é defender a venda. A descrição e o anexo da defesa são enviados à instituição que analisa o caso, que decide se o valor volta ou não ao pagador.

A resposta é definitiva: depois de enviada, não pode ser alterada nem desfeita. Quem responde declara que as informações são verdadeiras e que pode decidir em nome da empresa. O nome de quem respondeu, a data e a resposta ficam registrados.

Os dados dos pagadores servem apenas para responder às infrações e não podem ser usados para outro fim.`;
