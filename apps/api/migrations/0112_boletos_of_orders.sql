-- An order to the simulated network names its boleto `boleto`, as the code does; the bank's receipt reads its barcode there.
SET LOCAL ROLE malote_sandbox;
UPDATE sandbox.orders SET order_data = (order_data - 'billet') || jsonb_build_object('boleto', order_data -> 'billet')
WHERE order_data ? 'billet';
RESET ROLE;
