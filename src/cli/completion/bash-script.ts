import type { CommandWords, FlagWords, Values } from './command-words.ts';

/**
 * A script for bash, which zsh runs too (`bashcompinit`). It contains all words, so that a key press starts no program.
 * Names that are special in zsh, such as `path` and `words`, are not used.
 */
export function bashScript(commands: readonly CommandWords[]): string {
  const flags = commands.flatMap(({ path, flags: all }) => all.map((flag) => ({ ...flag, path })));
  const valued = [...new Set(flags.filter(({ takesValue }) => takesValue).map(({ name }) => `--${name}`))];
  return `# Completion of tonhouse for bash and zsh.
_tonhouse() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local place='' is_value='' word='' number=1 choices='' action=''
  # Bash splits --flag=value into three words.
  if [[ $current == '=' ]]; then current=''
  elif [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  while (( number < COMP_CWORD )); do
    word=\${COMP_WORDS[number]}
    number=$(( number + 1 ))
    if [[ $is_value ]]; then
      if [[ $word != '=' ]]; then is_value=''; fi
      continue
    fi
    case "$word" in
      ${valued.join('|')}) is_value=1; continue ;;
    esac
    case "$place $word" in
      ${commands
        .slice(1)
        .map(({ path }) => quoted([...path.slice(0, -1).map((one) => `/${one}`), ` ${path.at(-1)}`].join('')))
        .join('|')}) place="$place/$word" ;;
    esac
  done
  COMPREPLY=()
  case "$place $previous" in
${valueCases(flags)}
    *)
      case "$previous" in
        ${valued.join('|')}) return ;;
      esac
      case "$place" in
${commands.map(commandCase).join('\n')}
      esac
      if [[ $current == -* ]]; then action='words'; fi ;;
  esac
  local IFS=$'\\n'
  case "$action" in
    files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
    directories) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")) ;;
    *) IFS=$' \\n'; COMPREPLY=($(compgen -W "$choices" -- "$current")) ;;
  esac
}
complete -F _tonhouse tonhouse
`;
}

/** The bash script with what zsh needs to run it. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef tonhouse\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
}

type PlacedFlag = FlagWords & { readonly path: readonly string[] };

/** A case for each set of values, with the flags that take them. */
function valueCases(flags: readonly PlacedFlag[]): string {
  const groups = Map.groupBy(
    flags.filter(({ values }) => values),
    ({ values }) => assignment(values),
  );
  return [...groups]
    .map(
      ([assigned, all]) =>
        `    ${all.map(({ path, name }) => quoted(`${toPlace(path)} --${name}`)).join('|')}) ${assigned} ;;`,
    )
    .join('\n');
}

function commandCase({ path, commands, flags, values }: CommandWords): string {
  const names = flags.map(({ name }) => `--${name}`);
  const words = values && 'words' in values ? values.words : [];
  const first = [...commands, ...words];
  const paths = values && 'paths' in values ? ` action='${values.paths}';` : '';
  return `        ${quoted(toPlace(path))})
          choices=${quoted(names.join(' '))}
          if [[ $current != -* ]]; then choices=${quoted(first.join(' '))};${paths} fi ;;`;
}

const toPlace = (path: readonly string[]): string => path.map((one) => `/${one}`).join('');

function assignment(values: Values): string {
  if (values === null) return '';
  return 'words' in values ? `choices=${quoted(values.words.join(' '))}` : `action='${values.paths}'`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
