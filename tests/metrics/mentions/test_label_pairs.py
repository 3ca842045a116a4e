"""Labels that probably mean the same are named in messages."""

from linnet.metrics.mentions.label_pairs import explain_merging, likeliest_pair


def test_the_pair_with_the_most_similar_names_is_the_likeliest() -> None:
    assert likeliest_pair(["Gene", "Disease"], ["gene_or_product", "Symptom"]) == "Gene=gene_or_product"
    assert likeliest_pair([], []) == "Disease=Disorder"


def test_several_labels_of_gold_are_merged_into_the_one_that_is_most_like_them() -> None:
    said = explain_merging(["Gene", "Disease"], ["DiseaseClass", "Specific Disease"])

    assert "--map DiseaseClass=Disease --map 'Specific Disease=Disease'`; or " in said
