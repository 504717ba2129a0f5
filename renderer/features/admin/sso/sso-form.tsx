import { Alert, Button, Group, PasswordInput, TagsInput, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Discovery, Oidc, putOidc } from '#api/auth/oidc.ts';
import { MASKED_SECRET } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { useDraft } from '#renderer/components/forms/form.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { Unsaved } from '#renderer/components/forms/unsaved.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useFieldError, useRefusal } from '#renderer/service/field-error.ts';
import { configQuery } from '#renderer/service/queries.ts';
import classes from '../admin.module.css';
import { Part } from '../page.tsx';
import { useChange } from '../use-change.ts';
import groupClasses from './group-map.module.css';
import { GroupMap } from './group-map.tsx';

type Body = RouteInput<typeof putOidc>['body'];

/** Saving also tries to reach the provider, and the result stays visible. */
export function SsoForm({ saved, readOnly }: { saved: Oidc; readOnly: boolean }) {
  const { t } = useTranslation('admin');
  const explain = useExplain();
  const [discovery, setDiscovery] = useState<Discovery>();
  const change = useChange((body: Body) => client.call('PUT /admin/oidc', { body }), {
    stale: ['sso', 'config', 'audit'],
    done: () => t('saved'),
    after: ({ discovery: found, ...stored }) => {
      reset(stored);
      setDiscovery(found);
    },
    quiet: true,
  });
  const { draft, changed, edit, reset, text, flag, field } = useDraft(saved, change.error);
  const explainFault = useFieldError(change.error);
  const { form, unplaced } = useRefusal(change.error);
  const hasSecret = saved.client_secret === MASKED_SECRET;
  const { data: config } = useQuery(configQuery);
  // Complete, yet not offered.
  const isRefused = saved.enabled && saved.issuer && saved.client_id && hasSecret && config?.oidc_enabled === false;
  const insecure = draft.issuer.startsWith('http:') || draft.allow_insecure_issuer;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const { redirect_uri: _, ...body } = draft;
        change.mutate(body);
      }}
    >
      {readOnly && (
        <Alert color="gray" variant="light" icon={<IconLock size={20} />}>
          {t('sso.ownerOnly')}
        </Alert>
      )}
      <Part title={t('sso.here')} hint={t('sso.hereHint')}>
        <div>
          <p className={shared.facts}>{t('sso.redirect')}</p>
          <div className={shared.copyable}>
            <code>{saved.redirect_uri}</code>
            <CopyButton text={saved.redirect_uri} label={t('sso.copyRedirect')} />
          </div>
        </div>
      </Part>
      <fieldset disabled={readOnly} className={classes.plainFieldset}>
        <Part title={t('sso.provider')} hint={t('sso.providerHint')}>
          <TextInput
            label={t('sso.issuer')}
            description={t('sso.issuerHint')}
            placeholder="https://login.example.org"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            {...text('issuer')}
          />
          {insecure && <Switch label={t('sso.insecure')} description={t('sso.insecureHint')} {...flag('allow_insecure_issuer')} />}
          <TextInput label={t('sso.clientId')} autoComplete="off" spellCheck={false} {...text('client_id')} />
          <PasswordInput
            label={t('sso.clientSecret')}
            description={hasSecret ? t('sso.secretKept') : undefined}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('sso.showSecret') }}
            onFocus={(event) => event.currentTarget.select()}
            {...text('client_secret')}
          />
          <TagsInput label={t('sso.tenants')} description={t('sso.tenantsHint')} {...field('allowed_tenants')} />
        </Part>
        <Part title={t('sso.people')} hint={t('sso.peopleHint')}>
          <Switch label={t('sso.autoCreate')} description={t('sso.autoCreateHint')} {...flag('auto_create')} />
          <TagsInput
            label={t('sso.domains')}
            description={t('sso.domainsHint')}
            placeholder={draft.allowed_email_domains.length ? undefined : 'example.org'}
            {...field('allowed_email_domains')}
          />
          <Switch label={t('sso.trustEmail')} description={t('sso.trustEmailHint')} {...flag('trust_email')} />
          <GroupMap
            claim={text('groups_claim')}
            map={draft.group_map}
            problem={(index) => explainFault(`group_map.${index}.group_id`) ?? explainFault(`group_map.${index}.value`)}
            onChange={(group_map) => edit({ group_map })}
          />
          <Switch label={t('sso.enabled')} description={t('sso.enabledHint')} {...flag('enabled')} />
        </Part>
      </fieldset>
      {unplaced !== null && <ErrorNotice explanation={explain(unplaced)} />}
      {discovery && !change.error && <Diagnosis discovery={discovery} hasClaim={saved.groups_claim !== ''} />}
      {!discovery && saved.enabled && !saved.issuer && (
        <Alert color="orange" variant="light">
          {t('sso.incomplete')}
        </Alert>
      )}
      {!discovery && isRefused && (
        <Alert color="orange" variant="light">
          {t('sso.anyTenant')}
        </Alert>
      )}
      <Unsaved when={changed} />
      {!readOnly && (
        <Group justify="flex-end" mt="lg">
          <Button type="submit" loading={change.isPending}>
            {t('sso.save')}
          </Button>
        </Group>
      )}
    </form>
  );
}

/** What the claim of groups contained when accounts last signed in, and the groups that this leads to now. */
function Claimed({ claimed }: { claimed: Discovery['claimed'] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  if (claimed.length === 0)
    return (
      <Text size="sm" mt="sm" c="var(--mantine-color-text)">
        {t('sso.noneClaimed')}
      </Text>
    );
  return (
    <>
      <Text size="sm" mt="sm" fw={600} c="var(--mantine-color-text)" id="sso-claimed">
        {t('sso.claimed')}
      </Text>
      <ul className={groupClasses.claimed} aria-labelledby="sso-claimed">
        {claimed.map(({ username, values, group, at }) => (
          <li key={username}>
            <strong>{username}</strong> <time dateTime={at}>{format.moment(at)}</time>
            <p>
              {values.length > 0 ? values.map((value) => <code key={value}>{value}</code>) : <span>{t('sso.nothingClaimed')}</span>}
              {t('sso.leadsTo', { group })}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The result of trying to reach the provider. */
function Diagnosis({ discovery, hasClaim }: { discovery: Discovery; hasClaim: boolean }) {
  const { t } = useTranslation('admin');
  const isEmpty = discovery.problem === 'no_issuer' || discovery.problem === 'no_client_id';
  const isReached = discovery.issuer !== null;
  const facts = [
    [t('sso.issuer'), discovery.issuer],
    [t('sso.authorization'), discovery.authorization_endpoint],
    [t('sso.token'), discovery.token_endpoint],
  ].filter((fact): fact is [string, string] => !!fact[1]);
  return (
    <Alert
      role={discovery.ok ? 'status' : 'alert'}
      color={discovery.ok ? 'teal' : 'red'}
      variant="light"
      icon={discovery.ok ? <IconCircleCheck size={20} /> : <IconAlertTriangle size={20} />}
      title={
        <Text component="span" fw={600} c="var(--mantine-color-text)">
          {t(discovery.ok ? 'sso.reached' : isEmpty ? 'sso.unfinished' : isReached ? 'sso.unusable' : 'sso.notReached')}
        </Text>
      }
    >
      {discovery.problem && (
        <Text size="sm" c="var(--mantine-color-text)">
          {joinSentences(
            t(`sso.problems.${discovery.problem}`, { detail: discovery.detail ?? '' }),
            discovery.ok ? '' : t('sso.savedAnyway'),
          )}
        </Text>
      )}
      {facts.length > 0 && (
        <dl className={classes.table}>
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd className={shared.mono}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {hasClaim && discovery.issuer && <Claimed claimed={discovery.claimed} />}
    </Alert>
  );
}
