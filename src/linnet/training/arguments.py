"""The arguments with which the Hugging Face `Trainer` is made."""

import torch
from transformers import TrainingArguments

from linnet.training.job import Job

__all__ = ["trainer_arguments"]


def trainer_arguments(job: Job, precision: str | None) -> TrainingArguments:
    """Return what the Trainer is told of a job; what is its own (logs, evaluation, saving) is switched off."""
    optimiser = job.optimiser
    has_gpu = torch.cuda.is_available()
    return TrainingArguments(
        output_dir=str(job.output or job.folder.parent),  # trackers write there; checkpoints go when all is done
        num_train_epochs=optimiser.epochs,
        max_steps=job.steps or -1,
        per_device_train_batch_size=optimiser.batch_size,
        gradient_accumulation_steps=optimiser.accumulation,
        learning_rate=optimiser.learning_rate,
        max_grad_norm=optimiser.clip,
        seed=job.seed,
        use_cpu=not has_gpu,
        bf16=precision == "bfloat16",
        fp16=precision == "float16",
        eval_strategy="no",
        save_strategy="no",
        logging_strategy="no",
        logging_nan_inf_filter=False,
        report_to=[job.tracker] if job.tracker else [],
        disable_tqdm=True,
        remove_unused_columns=False,
        dataloader_pin_memory=has_gpu,
        ddp_find_unused_parameters=len(job.model.corpora) > 1,  # a batch goes through one of the heads
        ddp_broadcast_buffers=False,  # they are the same everywhere, and one is as large as the table of embeddings
    )
