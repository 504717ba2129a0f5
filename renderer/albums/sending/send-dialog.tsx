import { Anchor, MultiSelect, TagsInput, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MAX_NAMED_RECIPIENTS, MAX_SENT_MESSAGE } from '#api/constants.ts';
import { foldText } from '#api/images/fold-text.ts';
import type { Sent } from '#api/sent.ts';
import { teamQuery } from '#renderer/albums/members.ts';
import { TeamChoice } from '#renderer/albums/team-choice.tsx';
import { FormDialog, useDraft } from '#renderer/components/forms/form.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { amountOf, type BatchTarget } from '#renderer/images/list/batch.ts';
import { imagesOf } from '#renderer/images/list/count.ts';
import { offerUndo } from '#renderer/images/list/undo.tsx';
import { client } from '#renderer/service/client.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { removeSent } from '#renderer/service/sent.ts';
import classes from './sending.module.css';

interface Props {
  target: BatchTarget;
  onClose: () => void;
}

/** Names of recipients that a notice has room for. */
const MAX_NAMES = 3;

/** Sends pictures to people and groups of this server. */
export function SendDialog({ target, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const reportSent = useReport();
  const { data: config } = useQuery(configQuery);
  const [isMissing, setMissing] = useState(false);
  const count = amountOf(target);
  const send = useMutation({
    mutationFn: async ({ to, message }: { to: string[]; message: string }) =>
      client.call('POST /sent', { body: { keys: await keysOf(target), to: to.map(recipientOf), message } }),
    onSuccess: (sent) => {
      void queryClient.invalidateQueries({ queryKey: ['sent'] });
      onClose();
      reportSent(sent, count);
    },
  });
  const { draft, changed, field, fault, edit } = useDraft<{ to: string[]; message: string }>({ to: [], message: '' }, send.error);
  const to = field('to');
  const submit = () => {
    setMissing(draft.to.length === 0);
    if (draft.to.length > 0) send.mutate(draft);
  };
  const isRestricted = target.images.some(({ has_password, max_views }) => has_password || max_views > 0);
  const input = {
    ...to,
    label: t('sentPictures.to'),
    error: isMissing && draft.to.length === 0 ? t('sentPictures.missing') : to.error,
    maxValues: MAX_NAMED_RECIPIENTS,
    required: true,
    withAsterisk: false,
    autoComplete: 'off',
    'data-autofocus': true,
  };
  return (
    <FormDialog
      title={t('sentPictures.title', { count, formatted: format.number(count) })}
      submit={t('sentPictures.submit')}
      change={send}
      changed={changed}
      onClose={onClose}
      onSubmit={submit}
    >
      {config?.team_directory ? (
        <Picker input={input} />
      ) : (
        <TagsInput
          {...input}
          description={t('sentPictures.toTypedHint')}
          value={draft.to.map((value) => value.slice(NAME.length))}
          onChange={(names) => to.onChange(names.map((name) => NAME + name))}
          acceptValueOnBlur
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
        />
      )}
      <Textarea
        label={t('sentPictures.message')}
        value={draft.message}
        error={fault('message')}
        onChange={({ currentTarget }) => edit({ message: currentTarget.value })}
        autosize
        minRows={4}
        maxRows={8}
        maxLength={MAX_SENT_MESSAGE}
      />
      {isRestricted && (
        <Text size="sm" c="dimmed">
          {t('sentPictures.restricted')}
        </Text>
      )}
    </FormDialog>
  );
}

/** What the values of the field begin with: a name, or the id of a group. */
const [NAME, GROUP] = ['@', '#'];

const recipientOf = (value: string) =>
  value.startsWith(GROUP) ? { group_id: Number(value.slice(GROUP.length)) } : { username: value.slice(NAME.length) };

interface Input {
  value: string[];
  onChange: (value: string[]) => void;
}

/** A field that finds the people and groups of this server. */
function Picker({ input }: { input: Input }) {
  const { t } = useTranslation();
  const { data: team } = useQuery(teamQuery);
  const { data: session } = useQuery(sessionQuery);
  const [search, setSearch] = useState('');
  const users = team?.users.filter(({ id }) => id !== session?.user?.id) ?? [];
  const groups = team?.groups.filter(({ member_count }) => member_count > 0) ?? [];
  const userOf = new Map(users.map((user) => [NAME + user.username, user]));
  const groupOf = new Map(groups.map((group) => [GROUP + group.id, group]));
  const choices = [
    { group: t('sentPictures.groups'), items: groups.map(({ id, name }) => ({ value: GROUP + id, label: name })) },
    { group: t('sentPictures.people'), items: users.map(({ username, name }) => ({ value: NAME + username, label: name })) },
  ];
  return (
    <MultiSelect
      {...input}
      description={t('sentPictures.toHint')}
      data={choices.filter(({ items }) => items.length > 0)}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      clearSearchOnChange
      hidePickedOptions
      selectFirstOptionOnChange
      limit={MAX_SUGGESTIONS}
      // Without a search, all have been chosen.
      nothingFoundMessage={search.trim() && t('sentPictures.nobody')}
      onBlur={() => {
        const wanted = foldText(search.trim());
        const found = choices.flatMap(({ items }) => items).find(({ label }) => foldText(label) === wanted);
        if (found && !input.value.includes(found.value)) input.onChange([...input.value, found.value]);
      }}
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      classNames={{ options: classes.options }}
      renderOption={({ option: { value, label } }) => {
        const group = groupOf.get(value);
        const note = group && t('sentPictures.members', { count: group.member_count });
        return <TeamChoice user={userOf.get(value)} name={label} note={note} />;
      }}
    />
  );
}

/** As many as a list has room for; typing finds the others. */
const MAX_SUGGESTIONS = 30;

/** The keys of all pictures of a target, of which the page may not have all. */
async function keysOf({ images, sets, except }: BatchTarget): Promise<string[]> {
  const keys = new Set<string>();
  for (const set of sets) for (const { key } of await imagesOf(set)) keys.add(key);
  for (const { key } of except) keys.delete(key);
  for (const { key } of images) keys.add(key);
  return [...keys];
}

/** Returns a function that says what was sent to whom, and offers to take it back. */
function useReport() {
  const { t } = useTranslation();
  const format = useFormat();
  const notice = useNotice();
  const notifyError = useNotifyError();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return ({ id, recipients = [] }: Sent, count: number) => {
    const names = recipients.map(({ username }) => username);
    const who = names.length > MAX_NAMES ? t('sentPictures.peopleCount', { count: names.length }) : format.list(names);
    const takeBack = () =>
      removeSent(queryClient, id).then(
        () => notice.show({ title: t('sentPictures.takenBack'), message: undefined, autoClose: 3000 }),
        (error: unknown) => notifyError(error),
      );
    // Notifications are outside of the router, whose links wouldn't work there.
    const link = (
      <Anchor
        href="/sent?box=out"
        onClick={(event) => {
          event.preventDefault();
          notice.hide();
          void navigate({ to: '/sent', search: { box: 'out' } });
        }}
      >
        {t('sentPictures.show')}
      </Anchor>
    );
    offerUndo(notice, { title: t('sentPictures.done', { count, formatted: format.number(count), who }), link }, takeBack);
  };
}
