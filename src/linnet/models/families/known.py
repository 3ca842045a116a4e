"""The encoder families that Linnet knows (BERT, RoBERTa, ELECTRA, ...): one record for each."""

from dataclasses import replace

from linnet.models.families.record import BERT_SPECIALS, HIDDEN_DROPOUT, Family, Specials

__all__ = ["BERT", "BY_TYPE", "FAMILIES", "OTHER", "PRETRAINING_HEADS", "ROBERTA", "SPECIALS", "TAG_HEAD",
           "WITH_ORDER_HEAD", "WITH_WORD_HEAD"]  # fmt: skip

TAG_HEAD = "classifier"  # the module that scores tags, in the token-classification networks of all families
ALBERT_SPECIALS = Specials(pad="<pad>", unknown="<unk>", first="[CLS]", last="[SEP]", mask="[MASK]")
ROBERTA_SPECIALS = Specials(pad="<pad>", unknown="<unk>", first="<s>", last="</s>", mask="<mask>")
SPECIALS = (BERT_SPECIALS, ALBERT_SPECIALS, ROBERTA_SPECIALS)  # a tokenizer has the first of these that it knows

BERT = Family(
    name="bert",
    can_unpad=True,
    word_heads=("cls.predictions",),
    order_head="cls.seq_relationship",
    prefix="bert.",
)
ROBERTA = Family(
    name="roberta",
    kin=("camembert", "xlm-roberta"),
    fresh_settings={"type_vocab_size": 1, "layer_norm_eps": 1e-5},
    specials=ROBERTA_SPECIALS,
    counts_from_padding=True,
    can_unpad=True,
    word_heads=("lm_head",),
    prefix="roberta.",
)
ROBERTA_VARIANT = Family(
    name="xlm-roberta-xl",
    kin=("data2vec-text", "luke", "roberta-prelayernorm", "xmod"),
    specials=ROBERTA_SPECIALS,
    counts_from_padding=True,
)
LONGFORMER = replace(ROBERTA_VARIANT, name="longformer", kin=("ibert",), dropouts=(HIDDEN_DROPOUT,))
ELECTRA = Family(
    name="electra",
    dropouts=(HIDDEN_DROPOUT, "classifier_dropout", "summary_last_dropout"),
    can_unpad=True,
    word_heads=("generator_predictions", "generator_lm_head"),
    other_heads=("discriminator_predictions",),
    signs=("embeddings_project", "discriminator_predictions"),
    prefix="electra.",
)
ALBERT = Family(
    name="albert",
    # version 2 was trained without dropout (Lan et al. 2020, section 4.8, and its published configurations)
    fresh_settings={HIDDEN_DROPOUT: 0.0, "attention_probs_dropout_prob": 0.0},
    specials=ALBERT_SPECIALS,
    dropouts=(HIDDEN_DROPOUT, "classifier_dropout_prob"),
    layers=("albert_layer_groups",),
    can_unpad=True,
    word_heads=("predictions",),
    order_head="sop_classifier",
    signs=("albert_layer_groups",),
    prefix="albert.",
)
DEBERTA = Family(
    name="deberta",
    dropouts=(HIDDEN_DROPOUT, "pooler_dropout", "cls_dropout"),  # the last is in some published configurations only
    signs=("attention.self.in_proj",),
)
DEBERTA_V2 = Family(
    name="deberta-v2",
    dropouts=DEBERTA.dropouts,
    word_heads=("cls.predictions",),
    usual_head_flag="legacy",
    other_heads=("lm_predictions", "mask_predictions"),
    signs=("attention.self.query_proj",),
)
MODERNBERT = Family(
    name="modernbert",
    dropouts=("classifier_dropout", "mlp_dropout", "embedding_dropout"),
    hidden_dropout=None,
    attention_dropouts=("attention_dropout",),
    layers=("layers",),
    has_token_types=False,
    word_heads=("head", "decoder"),
    signs=("attn.Wqkv",),
)
MPNET = Family(
    name="mpnet",
    specials=ROBERTA_SPECIALS,  # its vocabulary has BERT's words as well, and so two sub-words for unknown text
    dropouts=(HIDDEN_DROPOUT,),
    has_token_types=False,
    counts_from_padding=True,
    fixed_padding=1,
    word_heads=("lm_head",),
    signs=("relative_attention_bias", "attention.attn.q."),
    prefix="mpnet.",
)
DISTILBERT = Family(
    name="distilbert",
    dropouts=("dropout", "qa_dropout", "seq_classif_dropout"),
    hidden_dropout="dropout",
    attention_dropouts=("attention_dropout",),
    has_token_types=False,
    signs=("attention.q_lin",),
    prefix="distilbert.",
)
FAMILIES = (
    BERT,
    ROBERTA,
    ROBERTA_VARIANT,
    LONGFORMER,
    ELECTRA,
    ALBERT,
    DEBERTA,
    DEBERTA_V2,
    MODERNBERT,
    MPNET,
    DISTILBERT,
)
OTHER = Family(
    name="other",
    dropouts=tuple(dict.fromkeys(name for family in FAMILIES for name in family.dropouts)),
    attention_dropouts=tuple(dict.fromkeys(name for family in FAMILIES for name in family.attention_dropouts)),
    layers=tuple(dict.fromkeys(name for family in FAMILIES for name in family.layers)),
)
BY_TYPE = {model_type: family for family in FAMILIES for model_type in (family.name, *family.kin)}
# model types that can learn masked words, and the order of two texts
WITH_WORD_HEAD = tuple(sorted(model_type for model_type, family in BY_TYPE.items() if family.word_heads))
WITH_ORDER_HEAD = tuple(sorted(model_type for model_type, family in BY_TYPE.items() if family.order_head))
# modules on top of an encoder that are there for its pretraining
PRETRAINING_HEADS = frozenset(
    head.split(".")[0]
    for family in FAMILIES
    for head in (*family.word_heads, family.order_head, *family.other_heads)
    if head is not None
)
