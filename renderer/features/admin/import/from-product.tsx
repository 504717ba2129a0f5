import { Alert, Button, Group, PasswordInput, Progress, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ImportState, startImport } from '#api/admin/imports.ts';
import { IMPORT_PRODUCTS } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import { useDraft } from '#renderer/components/forms/form.tsx';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useRefusal } from '#renderer/service/field-error.ts';
import { useAsk } from '../ask.tsx';
import { Loaded, Part } from '../page.tsx';
import { useChange } from '../use-change.ts';

type Import = NonNullable<ImportState>;
type Draft = RouteInput<typeof startImport>['body'];
const STALE = ['import', 'audit'];
/** Those of a part that are counted beside the pictures that were brought. */
const COUNTS = ['present', 'failed', 'gone', 'videos', 'other_files'] as const;

/** Starts and follows an import from another product. */
export function FromProduct() {
  const { t } = useTranslation('admin');
  const query = useQuery({ queryKey: ['admin', 'import'], queryFn: ({ signal }) => client.call('GET /admin/import', { signal }) });
  return (
    <Part title={t('imports.command')} hint={t('imports.startHint')}>
      <Loaded query={query}>{(data) => (data.import ? <Followed state={data.import} /> : <Form />)}</Loaded>
    </Part>
  );
}

function Form() {
  const { t } = useTranslation('admin');
  const change = useChange((body: Draft) => client.call('POST /admin/import', { body }), { stale: STALE, quiet: true });
  const { draft, text, field } = useDraft<Draft>({ product: 'zipline', url: '', token: '' }, change.error);
  const { onChange, ...product } = field('product');
  return (
    <Starting change={change} label={t('imports.start')} onSubmit={() => change.mutate(draft)}>
      <Select
        label={t('imports.product')}
        allowDeselect={false}
        data={IMPORT_PRODUCTS.map((value) => ({ value, label: t(`imports.products.${value}`) }))}
        {...product}
        onChange={(value) => value && onChange(value as Draft['product'])}
      />
      <TextInput
        mt="sm"
        label={t('imports.url')}
        placeholder="https://old.example.org"
        inputMode="url"
        required
        spellCheck={false}
        {...text('url')}
      />
      <PasswordInput
        mt="sm"
        label={t('imports.token')}
        description={t(`imports.tokens.${draft.product}`)}
        autoComplete="off"
        required
        {...text('token')}
      />
    </Starting>
  );
}

interface StartingProps {
  change: { error: unknown; isPending: boolean };
  label: string;
  variant?: 'default' | 'filled';
  children: ReactNode;
  onSubmit: () => void;
}

/** A form whose button starts or continues the import. */
function Starting({ change, label, variant = 'filled', children, onSubmit }: StartingProps) {
  const { form, unplaced } = useRefusal(change.error);
  const explain = useExplain();
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {unplaced !== null && <ErrorNotice explanation={explain(unplaced)} />}
      <Button mt={children ? 'md' : 0} type="submit" variant={variant} loading={change.isPending}>
        {label}
      </Button>
    </form>
  );
}

function Followed({ state: now }: { state: Import }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const ask = useAsk();
  const options = { stale: STALE };
  const pause = useChange(() => client.call('POST /admin/import/pause', {}), options);
  const stop = useChange(() => client.call('DELETE /admin/import', {}), options);
  const product = t(`imports.products.${now.product}`);
  const done = now.imported + now.present + now.failed + now.gone;
  const label = now.listed
    ? t('imports.progress', { done: format.number(done), total: format.number(now.found) })
    : t('imports.listing', { count: now.found, number: format.number(now.found) });
  const isEnded = now.state === 'done' || now.state === 'failed';
  return (
    <>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }} role="status">
        {t(`imports.states.${now.state}`, { product, address: now.address })}
      </Text>
      {now.fault !== null && (
        <Alert color="red" variant="light" role="alert">
          {now.fault}
        </Alert>
      )}
      {(now.listed || now.state === 'running') && (
        <div>
          <Text size="sm">{label}</Text>
          <Progress
            value={now.listed ? (now.found > 0 ? (done / now.found) * 100 : 100) : 0}
            animated={now.state === 'running'}
            color="petrol"
            aria-label={label}
          />
        </div>
      )}
      <Text size="sm">
        {[
          t('imports.counts.imported', { number: format.number(now.imported) }),
          ...COUNTS.filter((kind) => now[kind] > 0).map((kind) => t(`imports.counts.${kind}`, { number: format.number(now[kind]) })),
        ].join(' · ')}
      </Text>
      {now.state !== 'running' && <Again state={now} />}
      <Group gap="sm">
        {now.state === 'running' && (
          <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate(undefined)}>
            {t('imports.pause')}
          </Button>
        )}
        <Button
          variant="default"
          loading={stop.isPending}
          onClick={() => {
            if (isEnded) return stop.mutate(undefined);
            ask({
              title: t('imports.stopTitle'),
              text: t('imports.stopText'),
              confirm: t('imports.stop'),
              onConfirm: () => stop.mutate(undefined),
            });
          }}
        >
          {t(isEnded ? 'imports.close' : 'imports.stop')}
        </Button>
        {now.imported > 0 && (
          <Button variant="subtle" renderRoot={(props) => <Link to="/" {...props} />}>
            {t('imports.gallery')}
          </Button>
        )}
      </Group>
      <Report state={now} isEnded={isEnded} />
    </>
  );
}

/** Continues a paused import, or brings what an ended one hasn't. */
function Again({ state: { state, needs_token, product } }: { state: Import }) {
  const { t } = useTranslation('admin');
  const change = useChange((token: string) => client.call('POST /admin/import/continue', { body: token ? { token } : {} }), {
    stale: STALE,
    quiet: true,
  });
  const { draft, text } = useDraft({ token: '' }, change.error);
  return (
    <Starting
      change={change}
      label={t(state === 'paused' ? 'imports.continue' : 'imports.again')}
      variant={state === 'done' ? 'default' : 'filled'}
      onSubmit={() => change.mutate(draft.token)}
    >
      {needs_token && (
        <PasswordInput
          label={t('imports.tokenAgain')}
          description={`${state === 'paused' ? `${t('imports.restarted')} ` : ''}${t(`imports.tokens.${product}`)}`}
          autoComplete="off"
          required
          {...text('token')}
        />
      )}
    </Starting>
  );
}

/** What failed, and what stays behind. */
function Report({ state: now, isEnded }: { state: Import; isEnded: boolean }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const lost = Object.entries(now.not_brought).map(([kind, count]) => `${kind} (${format.number(count)})`);
  const lines = [
    ...(lost.length > 0 ? [t('imports.lost', { kinds: lost.join(', ') })] : []),
    ...(isEnded ? [t('imports.never', { kinds: now.never_brought.join(', ') })] : []),
  ];
  return (
    <>
      {now.faults.length > 0 && (
        <div>
          <Text size="sm">{t('imports.faults')}</Text>
          <ul>
            {now.faults.map(({ name, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names can be there twice
              <li key={index}>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {name}: {reason}
                </Text>
              </li>
            ))}
          </ul>
        </div>
      )}
      {lines.map((line) => (
        <Text key={line} size="sm" c="dimmed">
          {line}
        </Text>
      ))}
    </>
  );
}
