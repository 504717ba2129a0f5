import { Button, Code, FileButton, Group, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useAsk } from '../ask.tsx';
import { AdminPage, Loaded, Part } from '../page.tsx';
import { useChange } from '../use-change.ts';
import { FromProduct } from './from-product.tsx';

const COMMAND = 'pixdock import zipline https://old.example.org --map old-addresses.csv';
/** As many as the service takes. */
const AT_ONCE = 2_000;
/** Of those that were left out. */
const MAX_LISTED = 10;

/** How to bring pictures along from other products, and where their old addresses lead. */
export function ImportPage() {
  const { t } = useTranslation('admin');
  return (
    <AdminPage title={t('sections.import')} intro={t('imports.intro')}>
      <FromProduct />
      <Part title={t('imports.byCommand')} hint={t('imports.commandHint')}>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {COMMAND}
        </Code>
        <Text size="sm">{t('imports.commandText')}</Text>
      </Part>
      <OldAddresses />
    </AdminPage>
  );
}

function OldAddresses() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const ask = useAsk();
  const query = useQuery({
    queryKey: ['admin', 'old-addresses'],
    queryFn: ({ signal }) => client.call('GET /admin/old-addresses', { signal }),
  });
  const [sent, setSent] = useState<number>();
  const stale = ['old-addresses', 'audit'];
  const send = useChange((file: File) => sendMap(file, setSent), { stale });
  const remove = useChange(() => client.call('DELETE /admin/old-addresses', {}), {
    stale,
    done: () => t('imports.removed'),
    after: () => send.reset(),
  });
  const refused = send.data?.refused ?? [];
  return (
    <Part title={t('imports.addresses')} hint={t('imports.addressesHint')}>
      <Loaded query={query}>
        {({ count }) => (
          <>
            <Text size="sm">{count === 0 ? t('imports.none') : t('imports.count', { count, number: format.number(count) })}</Text>
            <Group gap="sm">
              <FileButton accept=".csv,text/csv" onChange={(file) => file && send.mutate(file)}>
                {(props) => (
                  <Button {...props} variant="default" leftSection={<IconUpload size={18} />} loading={send.isPending}>
                    {t('imports.choose')}
                  </Button>
                )}
              </FileButton>
              {count > 0 && (
                <Button
                  variant="default"
                  disabled={send.isPending}
                  onClick={() =>
                    ask({
                      title: t('imports.removeTitle'),
                      text: t('imports.removeText'),
                      confirm: t('imports.remove'),
                      onConfirm: () => remove.mutate(undefined),
                    })
                  }
                >
                  {t('imports.remove')}
                </Button>
              )}
            </Group>
            <div role="status">
              {send.isPending && sent !== undefined && <Text size="sm">{t('imports.sending', { number: format.number(sent) })}</Text>}
              {send.isSuccess && refused.length > 0 && (
                <>
                  <Text size="sm">{t('imports.refused', { count: refused.length, number: format.number(refused.length) })}</Text>
                  <ul>
                    {refused.slice(0, MAX_LISTED).map(({ old, reason }) => (
                      <li key={old}>
                        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                          {t(`imports.reasons.${reason}`, { address: old })}
                        </Text>
                      </li>
                    ))}
                  </ul>
                </>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Part>
  );
}

/** Sends a map in parts, the first of which replaces what was there. */
async function sendMap(file: File, onSent: (count: number) => void) {
  const addresses = readMap(await file.text());
  const refused = [];
  let count = 0;
  for (let start = 0; start === 0 || start < addresses.length; start += AT_ONCE) {
    const part: OldAddress[] = addresses.slice(start, start + AT_ONCE);
    const result = await client.call('PUT /admin/old-addresses', { body: { addresses: part, ...(start === 0 && { replace: true }) } });
    refused.push(...result.refused);
    count = result.count;
    onSent(start + part.length);
  }
  return { count, refused };
}

interface OldAddress {
  old: string;
  now: string;
}

/** The rows of a CSV file (RFC 4180) with two columns, without their heading. */
function readMap(text: string): OldAddress[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/gy;
  for (const [, quoted, plain = '', end] of text.replace(/^\ufeff/, '').matchAll(cells)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  // An address has a slash; a heading has none.
  return rows.filter(([old = '']) => old.includes('/')).map(([old = '', now = '']) => ({ old, now }));
}
