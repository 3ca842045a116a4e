#!/usr/bin/env bash
# Annotate the files of a folder with an array of Slurm jobs, each file in one of them:
#   sbatch --array=0-99 docs/examples/array_job.sh baseline annotated
# A job that was ended or lost goes on where it was when the same line is given again.
#SBATCH --cpus-per-task=1 --mem=1G --time=24:00:00
set -euo pipefail
source=$1 target=$2
files=("$source"/*.xml.gz)
mkdir -p "$target"
failed=0
for ((number = SLURM_ARRAY_TASK_ID; number < ${#files[@]}; number += SLURM_ARRAY_TASK_COUNT)); do
  output=$target/$(basename "${files[number]}" .xml.gz).jsonl.gz
  if [[ ! -e $output ]]; then
    set +e
    linnet annotate "${files[number]}" --output "$output" --threads 1 --resume
    code=$?
    set -e
    case $code in
    0 | 3) ;; # 3: documents that cannot be read are recorded in errors.jsonl
    130 | 143) exit "$code" ;; # interrupted, or terminated by Slurm
    *) failed=$((failed + 1)) ;; # such as a damaged file, which a message has named; the others are still done
    esac
  fi
done
exit $((failed > 0))
