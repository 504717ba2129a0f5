import { Alert, Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminSettings, getAdminSettings } from '#api/admin/settings.ts';
import type { RouteData } from '#api/contract.ts';
import { toOrigin } from '#api/url-forms.ts';
import { useDraft } from '#renderer/components/forms/form.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import { AmountInput } from '../amount-input.tsx';
import { Part } from '../page.tsx';
import { SaveForm } from '../save-form.tsx';
import { BYTES } from '../units.ts';
import { useChange } from '../use-change.ts';
import { TextRecognition } from './text-recognition.tsx';

type Saved = RouteData<typeof getAdminSettings>;

const FIELDS = [
  'site_name',
  'base_url',
  'registration_mode',
  'guest_upload_enabled',
  'two_factor_required',
  'custom_addresses_enabled',
  'request_links_enabled',
  'team_directory',
  'ocr_enabled',
  'ocr_languages',
  'fetch_allowed_hosts',
  'cors_origins',
  'hotlink_sites',
  'count_referrers',
  'disk_reserve_bytes',
] as const satisfies (keyof AdminSettings)[];

/** The changed settings. Only these are sent, so that two admins don't undo each other's changes. */
function differences(saved: Saved, draft: AdminSettings): Partial<AdminSettings> {
  const changed = FIELDS.filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(draft[name]));
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}

export function InstanceForm({ settings }: { settings: Saved }) {
  const { t } = useTranslation('admin');
  const change = useChange((body: Partial<AdminSettings>) => client.call('PATCH /admin/settings', { body }), {
    stale: ['settings', 'config', 'audit'],
    done: () => t('saved'),
    after: (saved) => reset(saved),
    quiet: true,
  });
  const { draft, reset, edit, text, flag, field, fault } = useDraft<AdminSettings>(settings, change.error);
  const changes = differences(settings, draft);
  return (
    <SaveForm changes={changes} change={change} onReset={() => reset(settings)}>
      <Part title={t('instance.identity')}>
        <TextInput label={t('instance.siteName')} description={t('instance.siteNameHint')} maxLength={100} {...text('site_name')} />
        <LinkAddress
          saved={settings}
          value={draft.base_url ?? ''}
          error={fault('base_url')}
          onChange={(text) => edit({ base_url: text.trim() === '' ? null : text })}
        />
      </Part>
      <Part title={t('instance.people')} hint={t('instance.peopleHint')}>
        <Radio.Group
          label={t('instance.registration')}
          value={draft.registration_mode}
          onChange={(mode) => edit({ registration_mode: mode as AdminSettings['registration_mode'] })}
        >
          <Stack gap="sm" mt="xs">
            {(['closed', 'invite', 'open'] as const).map((mode) => (
              <Radio key={mode} value={mode} label={t(`instance.${mode}`)} description={t(`instance.${mode}Hint`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Radio.Group
          label={t('instance.twoFactor')}
          description={t('instance.twoFactorHint')}
          value={draft.two_factor_required}
          onChange={(who) => edit({ two_factor_required: who as AdminSettings['two_factor_required'] })}
        >
          <Stack gap="sm" mt="xs">
            {(['nobody', 'admins', 'everyone'] as const).map((who) => (
              <Radio key={who} value={who} label={t(`instance.twoFactorFor.${who}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Switch label={t('instance.guests')} description={t('instance.guestsHint')} {...flag('guest_upload_enabled')} />
        <Switch label={t('instance.addresses')} description={t('instance.addressesHint')} {...flag('custom_addresses_enabled')} />
        <Switch label={t('instance.requests')} description={t('instance.requestsHint')} {...flag('request_links_enabled')} />
        <Switch label={t('instance.team')} description={t('instance.teamHint')} {...flag('team_directory')} />
      </Part>
      <Part title={t('instance.network')} hint={t('instance.networkHint')}>
        <TagsInput
          label={t('instance.hosts')}
          description={t('instance.hostsHint')}
          placeholder={draft.fetch_allowed_hosts.length ? undefined : '10.1.0.0/16'}
          {...field('fetch_allowed_hosts')}
        />
      </Part>
      <Part title={t('instance.sites')} hint={t('instance.sitesHint')}>
        <Switch
          label={t('instance.hotlinks')}
          description={t('instance.hotlinksHint')}
          checked={draft.hotlink_sites !== null}
          onChange={(event) => edit({ hotlink_sites: event.currentTarget.checked ? [] : null })}
        />
        {draft.hotlink_sites && (
          <TagsInput
            label={t('instance.hotlinkSites')}
            description={t('instance.hotlinkSitesHint')}
            placeholder={draft.hotlink_sites.length ? undefined : '*.example.org'}
            value={draft.hotlink_sites}
            error={fault('hotlink_sites')}
            onChange={(sites) => edit({ hotlink_sites: sites })}
          />
        )}
        <TagsInput
          label={t('instance.origins')}
          description={t('instance.originsHint')}
          placeholder={draft.cors_origins.length ? undefined : 'https://app.example.org'}
          {...field('cors_origins')}
        />
      </Part>
      <TextRecognition draft={draft} isSaved={settings.ocr_enabled} onEdit={edit} />
      <Part title={t('instance.privacy')}>
        <Switch label={t('instance.referrers')} description={t('instance.referrersHint')} {...flag('count_referrers')} />
      </Part>
      <Part title={t('instance.disk')}>
        <AmountInput
          label={t('instance.reserve')}
          description={t('instance.reserveHint')}
          value={draft.disk_reserve_bytes ?? 0}
          zero={t('instance.reserveAuto')}
          units={BYTES}
          usual={1024 ** 3}
          error={fault('disk_reserve_bytes')}
          onChange={(bytes) => edit({ disk_reserve_bytes: bytes || null })}
        />
      </Part>
    </SaveForm>
  );
}

interface Props {
  saved: RouteData<typeof getAdminSettings>;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

/** The link address. Before saving, a notice says how many links a change affects. */
function LinkAddress({ saved, value, error, onChange }: Props) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const start = toOrigin(value);
  // Without an address, links start with the server's own, which this page doesn't know.
  const changed = value === '' ? saved.base_url !== null : start !== undefined && start !== saved.link_address;
  const { data: stats } = useQuery({
    queryKey: ['admin', 'stats', 1],
    queryFn: ({ signal }) => client.call('GET /admin/stats', { query: { days: 1 }, signal }),
    enabled: changed,
  });
  const count = stats?.totals.images ?? 0;
  return (
    <div>
      <TextInput
        label={t('instance.baseUrl')}
        description={saved.base_url_fixed ? t('instance.baseUrlFixed') : t('instance.baseUrlHint', { address: saved.link_address })}
        placeholder={saved.base_url === null ? saved.link_address : 'https://pics.example.org'}
        disabled={saved.base_url_fixed}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {changed && count > 0 && (
        <Alert
          color="orange"
          variant="light"
          mt="sm"
          role="status"
          title={t('instance.linksChange', { count, formatted: format.number(count) })}
        >
          {t('instance.linksChangeText', { address: saved.link_address })}
        </Alert>
      )}
    </div>
  );
}
